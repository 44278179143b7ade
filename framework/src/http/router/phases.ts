/**
 * The phases of a request, in this order. A middleware that names one runs in it; inside a phase the
 * order is the written one: server, group, route. Requests that only read (GET, HEAD, OPTIONS, TRACE)
 * skip `origin`, `token`, `once` and `body`.
 */
export const Phases = {
  /** Refuses requests of other sites, by their headers. Nothing is counted or read for them. */
  Origin: 'origin',
  /** Counts requests and refuses those above a limit, by their headers. */
  Limits: 'limits',
  /** Opens the session, and saves it on the way back. */
  Session: 'session',
  /** Only lets requests through or refuses them, by their headers and session. */
  Guard: 'guard',
  /** Refuses forms that were not sent by a page of this site. May read the form. */
  Token: 'token',
  /** Lets one of several equal forms pass. */
  Once: 'once',
  /** Reads the form. */
  Body: 'body',
  /** Checks what was sent against the schemas of the route. No middleware names it. */
  Input: 'input',
  /** Responds. No middleware names it. */
  Handler: 'handler',
  /** Runs `finish` of the middlewares, inner ones first, for error responses too. None names it. */
  Finish: 'finish',
} as const
Object.freeze(Phases)
export type Phases = (typeof Phases)[keyof typeof Phases]

/** The phases that a middleware can name. */
export type MiddlewarePhase = Exclude<Phases, 'input' | 'handler' | 'finish'>
