import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Two other origins: an application, and a third place to which it sends people on. */
export interface OtherOrigins {
  /** the application's redirection URI, which answers with a redirect to the third origin */
  redirect_uri: string;
  /** of the third origin; answers any path, and at `/shown` with the HTML given to `show` */
  third: string;
  show(html: string): void;
  close(): void;
}

export async function openOtherOrigins(): Promise<OtherOrigins> {
  let shown = '';
  const third = await listen(
    createServer((req, res) => {
      res.setHeader('Content-Type', 'text/html');
      res.end(
        req.url === '/shown' ? shown : `<!doctype html><title>arrived</title><p id="arrived">${'Welcome back'}</p>`,
      );
    }),
  );
  const application = await listen(
    createServer((req, res) => {
      res.writeHead(302, { Location: `${third.origin}/home${new URL(req.url ?? '/', 'http://x').search}` }).end();
    }),
  );
  return {
    redirect_uri: `${application.origin}/callback`,
    third: third.origin,
    show(html) {
      shown = `<!doctype html><title>elsewhere</title>${html}`;
    },
    close() {
      for (const { server } of [third, application]) server.close().closeAllConnections();
    },
  };
}

async function listen(server: Server): Promise<{ server: Server; origin: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
