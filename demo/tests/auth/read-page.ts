/** The paths of the forms on an account page that revoke sessions or devices. */
export function revokePathsOn(page: string, kind: 'sessions' | 'devices'): string[] {
  const found = page.matchAll(new RegExp(`action="(/${kind}/[^"]+)"`, 'g'))
  return [...new Set([...found].map(([, path = '']) => path))]
}
