/** Method and pattern of a route: the path itself may contain the secret of a link. */
export function routeLabel({
  method,
  route,
}: {
  readonly method: string
  readonly route: string | null
}): string | null {
  return route === null ? null : `${method} ${route}`
}
