/** What API tokens can be allowed to do, with the texts of the form that creates one. */
export const apiScopes = {
  'account:read': 'Read your e-mail address, and whether it is verified',
  'places:read': 'Read where you are signed in',
  'items:order': 'Order items', // part: items
} as const

/** A scope of the project: a route that requires another one does not compile. */
export type ApiScope = keyof typeof apiScopes

export const scopeNames: readonly ApiScope[] = Object.keys(apiScopes).filter(isApiScope)

function isApiScope(name: string): name is ApiScope {
  return Object.hasOwn(apiScopes, name)
}
