import { shell } from './shell.js';
shell('referee');
