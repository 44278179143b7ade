/** Where the inspector is. */
export const inspectorPath = '/inspect'

/** Whether a path or the pattern of a route belongs to the inspector. */
export function isInspectorPath(path: string): boolean {
  return path === inspectorPath || path.startsWith(`${inspectorPath}/`)
}
