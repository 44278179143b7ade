/** Turns an error into a page. */
export type Renderer = (error: Error) => string | Promise<string>

/** The names of the renderers. */
export const Renderers = { Ours: 'ours', Youch: 'youch' } as const
export type Renderers = (typeof Renderers)[keyof typeof Renderers]

/** How the renderers are called in the report. */
export const labels: Readonly<Record<Renderers, string>> = {
  ours: 'Page.render',
  youch: 'Youch 4',
}

const method = 'GET'
const url = '/shop/orders/1?page=2'
const headers: Readonly<Record<string, string>> = {
  host: 'shop.test',
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en,de;q=0.7',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  cookie: 'session=4f1c; theme=dark',
}

/** Loads a renderer, and nothing of the other one. Both are told of the same request. */
export async function loadRenderer(name: Renderers): Promise<Renderer> {
  if (name === Renderers.Ours) {
    const { Page } = await import('../../framework/dist/public/debugging.js')
    const context = { Request: { method, url }, Headers: headers }
    return (error) => Page.render(error, context)
  }
  const { Youch } = await import('youch')
  const request = { method, url, headers }
  // A new one each time, as its documentation has it.
  return (error) => new Youch().toHTML(error, { request })
}

/** @throws Error unless the page tells the class, the message and the source of the error. */
export function checkPage(html: string, renderer: Renderers): void {
  const parts = ['PaymentRefused', 'was refused', 'charge', 'shop-middlewares.ts', 'koa-compose']
  const missing = parts.filter((part) => !html.includes(part))
  if (missing.length > 0)
    throw new Error(`the page of ${labels[renderer]} lacks ${missing.join(', ')}`)
}
