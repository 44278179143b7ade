import type { ApplicationService } from '@adonisjs/core/types'
import { ExceptionHandler, type HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

interface Handling {
  handle(context: HttpContext, next: NextFn): unknown
}

/**
 * Shield twice: its headers go with every response, those of files too; its CSRF guard, which needs a
 * session, is for the pages with one.
 */
export async function shield(
  app: ApplicationService,
): Promise<{ headers: Handling; csrf: Handling }> {
  // By a name that the compiler does not follow: its types change those of `node:http` for everything.
  const name: string = '@adonisjs/shield/shield_middleware'
  const { default: Shield } = await import(name)
  const encryption = await app.container.make('encryption')
  const { default: edge } = await import('edge.js')
  const headers = new Shield(
    {
      csp: {
        enabled: true,
        directives: {
          defaultSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'self'"],
          objectSrc: ["'none'"],
          imgSrc: ["'self'", 'data:'],
          scriptSrc: ["'self'", '@nonce'],
          styleSrc: ["'self'", '@nonce'],
        },
      },
      xFrame: { enabled: true, action: 'SAMEORIGIN' },
      hsts: { enabled: true, maxAge: '365 days' },
      contentTypeSniffing: { enabled: true },
    },
    encryption,
  )
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE']
  const csrf = new Shield({ csrf: { enabled: true, methods } }, encryption, edge)
  return { headers, csrf }
}

/** What `start/kernel.ts` of a project holds. */
export async function addMiddlewares(app: ApplicationService): Promise<void> {
  const server = await app.container.make('server')
  const router = await app.container.make('router')
  const { headers } = await shield(app)
  server.errorHandler(async () => ({ default: Handler }))
  server.use([
    async () => ({ default: RequestHeaders }),
    async () => ({
      default: class {
        handle = headers.handle.bind(headers)
      },
    }),
    () => import('@adonisjs/static/static_middleware'),
  ])
  router.use([() => import('@adonisjs/core/bodyparser_middleware')])
}

/** The two headers that Shield does not have. */
class RequestHeaders {
  handle({ request, response }: HttpContext, next: NextFn): unknown {
    response.header('X-Request-Id', request.id() ?? '')
    response.header('Referrer-Policy', 'strict-origin-when-cross-origin')
    return next()
  }
}

class Handler extends ExceptionHandler {
  protected override debug = false

  override async handle(error: unknown, context: HttpContext): Promise<unknown> {
    // By default the visitor is sent back to the form.
    const isForged = error instanceof Error && 'code' in error && error.code === 'E_BAD_CSRF_TOKEN'
    if (isForged) return context.response.status(403).send('Forbidden')
    return super.handle(error, context)
  }

  override async report(): Promise<void> {}
}
