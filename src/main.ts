import './node-version.ts';
import { growUnderLoad } from './operations/young-generation.ts';

// before everything else is loaded
growUnderLoad();

// loaded after the look at the version: an older Node cannot even link these files
await import('./server.ts');
