import { shell } from './shell.js';
shell('matches');
