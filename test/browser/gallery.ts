import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { type Brand, brandSheet } from '../../src/web/brand.ts';
import { assetsDirectory, renderView, viewDirectories } from '../../src/web/render.ts';
import { compileTemplates } from '../../src/web/templates.ts';
import { fixtures } from './fixtures.ts';

/** Every page with fixture data at `/<name>`, or as the answer to a refused form at `/<name>?status=400`: the real templates, headers and assets, no database. */
function gallery(brand: Brand): Express {
  const app = express();
  app.set('views', viewDirectories).set('view engine', 'ejs').set('view cache', true);
  app.engine('ejs', compileTemplates(viewDirectories));
  // this script would leave its page
  app.get('/assets/form-post.js', (_req, res) => void res.type('js').send(''));
  app.use('/assets', express.static(assetsDirectory));
  app.get('/brand.css', (_req, res) => void res.type('css').send(brandSheet(brand)));
  const config = { base: '', issuer: 'http://localhost:3000', demo: true, brand };
  for (const { name, view, data, status, support_url } of fixtures) {
    app.get(`/${name}`, (req, res) => {
      const refused = req.query['status'] === '400' ? 400 : undefined;
      renderView({ deps: { config: { ...config, support_url } }, req, res }, view, data, refused ?? status);
    });
  }
  return app;
}

export async function openGallery(brand: Brand = { name: 'Latchkey' }) {
  const server = createServer({ keepAliveTimeout: 65_000 }, gallery(brand)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() };
}
