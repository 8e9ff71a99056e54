export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A minimal browser for the flow tests: cookies, forms, and redirects that a test can inspect before following them. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #fetch: Fetch;

  constructor(origin: string, send: Fetch = fetch) {
    this.#origin = origin;
    this.#fetch = send;
  }

  async open(path: string, init: RequestInit = {}): Promise<Page> {
    const url = new URL(path, this.#origin);
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
    const response = await this.#fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const cut = pair.indexOf('=');
      const isGone = /expires=Thu, 01 Jan 1970|max-age=0/i.test(line) || cut === pair.length - 1;
      if (isGone) this.#cookies.delete(pair.slice(0, cut));
      else this.#cookies.set(pair.slice(0, cut), pair.slice(cut + 1));
    }
    const text = await response.text();
    return {
      url: url.href,
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get('location') ?? undefined,
    };
  }

  /** Follows redirects as long as they stay on this origin. */
  async visit(path: string, init: RequestInit = {}): Promise<Page> {
    let page = await this.open(path, init);
    for (let hops = 0; hops < 10 && page.location !== undefined; hops += 1) {
      const next = new URL(page.location, page.url);
      if (next.origin !== this.#origin) return page;
      page = await this.open(next.href);
    }
    return page;
  }

  /** Sends the form that contains the button, with its hidden fields, ticked boxes and the given changes. */
  submit(page: Page, button: string, changes: Record<string, string | string[] | undefined> = {}): Promise<Page> {
    return this.visit(...formRequest(page, button, changes));
  }

  cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  forgetCookies(): void {
    this.#cookies.clear();
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }
}

export interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
  location: string | undefined;
}

/** The request that a press of the button would make. */
export function formRequest(
  page: Page,
  button: string,
  changes: Record<string, string | string[] | undefined> = {},
): [string, RequestInit] {
  const form = [...page.text.matchAll(/<form\b[\s\S]*?<\/form>/g)]
    .map(([html]) => html)
    .find((html) => html.includes(button));
  if (!form) throw new Error(`no form with ${button} on ${page.url}: ${page.status} ${page.text.slice(0, 2000)}`);
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
    const type = attribute(input, 'type') ?? 'text';
    const name = attribute(input, 'name');
    const isOff = / disabled\b/.test(input) || ((type === 'checkbox' || type === 'radio') && !/ checked\b/.test(input));
    if (name !== undefined && !isOff) fields.append(name, attribute(input, 'value') ?? '');
  }
  for (const [, area = '', content = ''] of form.matchAll(/(<textarea\b[^>]*>)([^<]*)/g)) {
    fields.append(attribute(area, 'name') ?? '', unescaped(content));
  }
  const pressed = [...form.matchAll(/<button\b[^>]*>/g)].map(([html]) => html).find((html) => html.includes(button));
  const pressedName = pressed && attribute(pressed, 'name');
  if (pressed && pressedName) fields.append(pressedName, attribute(pressed, 'value') ?? '');
  for (const [name, value] of Object.entries(changes)) {
    fields.delete(name);
    for (const one of [value ?? []].flat()) fields.append(name, one);
  }
  const action = new URL(attribute(/<form\b[^>]*>/.exec(form)?.[0] ?? '', 'action') ?? page.url, page.url);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: action.origin,
    'sec-fetch-site': 'same-origin',
  };
  return [action.href, { method: 'POST', body: fields.toString(), headers }];
}

function attribute(html: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(html)?.[1];
  return value && unescaped(value);
}

function unescaped(text: string): string {
  return text
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
