import { shell } from './shell.js';
shell('match');
