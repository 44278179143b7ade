import type { Middleware, MiddlewareFunction, MiddlewareParts } from './middleware.ts'

/**
 * The order of middlewares for unsafe requests. It is their own, except that middlewares with `parts`
 * run their `inner` part, which reads the body, after the guards that directly follow them. Any other
 * middleware could act on a request, so the `inner` parts come before it: nothing that was protected
 * in the given order ever runs unprotected.
 */
export function arrangeUnsafe(
  middlewares: readonly Middleware[],
  { isRouted }: { readonly isRouted: boolean },
): Middleware[] {
  const arranged: Middleware[] = []
  const screens = new Set(middlewares.flatMap((middleware) => partOf(middleware, 'screen')))
  const waiting: Middleware[] = []
  for (const middleware of middlewares) {
    if (partsOf(middleware) !== undefined) {
      // From here on, the outer part does what the screen would.
      for (const screen of partOf(middleware, 'screen')) screens.delete(screen)
      arranged.push(...partOf(middleware, 'outer'))
      waiting.push(...partOf(middleware, 'inner'))
    } else if (isGuard(middleware)) {
      arranged.push(...screens, middleware)
      screens.clear()
    } else arranged.push(...waiting.splice(0), middleware)
  }
  // Without a route nothing follows but a 404 or 405, for which no body need be read.
  return isRouted ? [...arranged, ...waiting] : arranged
}

function partOf(middleware: Middleware, name: keyof MiddlewareParts): MiddlewareFunction[] {
  const part = partsOf(middleware)?.[name]
  return part === undefined ? [] : [part]
}

function partsOf(middleware: Middleware): MiddlewareParts | undefined {
  return typeof middleware === 'object' ? middleware.parts : undefined
}

function isGuard(middleware: Middleware): boolean {
  return typeof middleware === 'object' && middleware.guard === true
}
