type Loading = () => Promise<{ default: never }>

/** The packages that do what the middlewares of our page do, as a new project of Adonis has them. */
export const stackProviders: readonly Loading[] = [
  loading('@adonisjs/session/session_provider'),
  loading('@adonisjs/shield/shield_provider'),
]

/** In the order of a new project. */
export const stackMiddlewares: readonly Loading[] = [
  loading('@adonisjs/session/session_middleware'),
  loading('@adonisjs/shield/shield_middleware'),
]

// By a name that the compiler does not follow: the types of Shield change those of `node:http` for
// every server of the benchmarks.
function loading(name: string): Loading {
  return async (): Promise<{ default: never }> => await import(name)
}

/** Sessions in a cookie, and the headers that our page has, with a nonce in the policy. */
export async function stackConfig(): Promise<Readonly<Record<string, unknown>>> {
  const { defineConfig, stores } = await import('@adonisjs/session')
  return {
    session: defineConfig({
      enabled: true,
      cookieName: 'adonis-session',
      clearWithBrowser: false,
      age: '2h',
      cookie: { path: '/', httpOnly: true, secure: true, sameSite: 'lax' },
      store: 'cookie',
      stores: { cookie: stores.cookie() },
    }),
    shield: {
      csp: {
        enabled: true,
        directives: { defaultSrc: ["'self'"], scriptSrc: ["'self'", '@nonce'] },
      },
      csrf: { enabled: true, methods: ['POST', 'PUT', 'PATCH', 'DELETE'] },
      xFrame: { enabled: true, action: 'SAMEORIGIN' },
      hsts: { enabled: true, maxAge: '365 days' },
      contentTypeSniffing: { enabled: true },
    },
  }
}
