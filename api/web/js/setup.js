import { shell } from './shell.js';
shell('setup');
