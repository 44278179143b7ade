/** The message at the top of a page; null when there is none. */
export function messageOn(page: string): string | null {
  return plain(/<div class="flash [\s\S]*?<p>([\s\S]*?)<\/p>/.exec(page)?.[1]) ?? null
}

/** The error messages of a form, by field. */
export function errorsOn(page: string): Record<string, string> {
  const found = page.matchAll(/id="(\w+)-error">[\s\S]*?<span>([\s\S]*?)<\/span>/g)
  return Object.fromEntries([...found].map(([, field, text]) => [field, plain(text) ?? '']))
}

/** The value of a field; null when it is empty or absent. */
export function valueOn(page: string, field: string): string | null {
  const [input = ''] = new RegExp(`<input id="${field}"[^>]*>`).exec(page) ?? []
  return plain(/ value="([^"]*)"/.exec(input)?.[1]) ?? null
}

/** The CSRF token in the forms of a page. */
export function tokenOn(page: string): string {
  return /name="_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
}

/** The paths of the forms on an account page that revoke sessions or devices. */
export function revokePathsOn(page: string, kind: 'sessions' | 'devices'): string[] {
  const found = page.matchAll(new RegExp(`action="(/${kind}/[^"]+)"`, 'g'))
  return [...new Set([...found].map(([, path = '']) => path))]
}

function plain(html: string | undefined): string | undefined {
  return html?.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
