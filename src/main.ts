import './node-version.ts';

// loaded after the look at the version: an older Node cannot even link these files
await import('./server.ts');
