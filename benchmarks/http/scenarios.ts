/** What a server process is asked to do; one process serves one scenario. */
export const Scenarios = {
  Json: 'json',
  Param: 'param',
  View: 'view',
  Middlewares: 'middlewares',
  /** Ours only: five middlewares that do nothing but call the next one. */
  Passes: 'passes',
  /** Ours only: the handler emits an event without listeners. */
  Unheard: 'unheard',
  /** Ours only: one listener on `Received` and one on `Handled`. */
  Listened: 'listened',
  /** A JSON body that is validated with the validator the framework suggests. */
  Input: 'input',
  /** Ours only: the same body, parsed but not validated. */
  Unchecked: 'unchecked',
  /** Ours only: metrics of every request. */
  Telemetry: 'telemetry',
} as const
export type Scenarios = (typeof Scenarios)[keyof typeof Scenarios]

/** The request a scenario is measured with and the only answer that counts as right. */
export interface Exchange {
  readonly path: string
  /** A JSON body to send with POST; null for a GET. */
  readonly sent: string | null
  readonly type: string
  readonly body: string
  readonly headers: readonly string[]
}

/** Response headers that the five middlewares set, each to `1`. */
export const middlewareHeaders: readonly string[] = ['x-a', 'x-b', 'x-c', 'x-d', 'x-e']

/** Folder of the template; written so that it is right from the sources and from the built copy. */
export const viewsFolder: string = `${import.meta.dirname}/../http/views`

/** Ten items of the view; each needs escaping. */
export const items: readonly string[] = Array.from(
  { length: 10 },
  (_, index) => `<b>Item ${index + 1}</b> & "friends"`,
)

const json: Exchange = {
  path: '/json',
  sent: null,
  type: 'application/json',
  body: '{"hello":"world"}',
  headers: [],
}

const note: Exchange = {
  ...json,
  path: '/notes',
  sent: JSON.stringify({
    title: 'Groceries',
    text: 'Two litres of milk, bread, and whatever looks good.',
    stars: 3,
    tags: ['home', 'food'],
  }),
  body: '{"title":"Groceries","tags":2}',
}

const listPage = [
  '<!doctype html>',
  '<title>List</title>',
  '<ul>',
  ...items.map((_, index) => {
    return `<li>&lt;b&gt;Item ${index + 1}&lt;/b&gt; &amp; &quot;friends&quot;</li>`
  }),
  '</ul>',
  '',
].join('\n')

/** The request and the expected answer of each scenario. */
export const exchanges: Readonly<Record<Scenarios, Exchange>> = {
  json,
  param: { ...json, path: '/users/42', body: '{"id":"42"}' },
  view: { ...json, path: '/view', type: 'text/html', body: listPage },
  middlewares: { ...json, headers: middlewareHeaders },
  input: note,
  unchecked: note,
  passes: json,
  unheard: json,
  listened: json,
  telemetry: json,
}
