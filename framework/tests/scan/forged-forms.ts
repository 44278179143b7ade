import type { Finding } from './finding.ts'
import { Guest } from './guest.ts'
import type { SqlmapTarget } from './sqlmap.ts'

/**
 * Sends the forms as another site would: with the visitor's session, and no token or
 * another visitor's token. Wapiti cannot test this, because its relay adds a token to everything.
 */
export async function sendForgedForms(
  url: string,
  targets: readonly SqlmapTarget[],
  { signsIn }: { readonly signsIn: boolean },
): Promise<readonly Finding[]> {
  const visitor = new Guest(url, { signsIn })
  await visitor.token()
  const another = await new Guest(url, { signsIn }).token()
  const findings: Finding[] = []
  for (const { path, form } of targets) {
    if (form === undefined) continue
    for (const token of [null, '', another]) {
      const body = new URLSearchParams(form)
      if (token !== null) body.set('_token', token)
      const { status } = await fetch(url + path.replaceAll('*', ''), {
        method: 'POST',
        body,
        headers: visitor.headers(),
        redirect: 'manual',
      })
      if (status === 403) continue
      const where = `POST ${path}`
      findings.push({ by: 'scan', kind: 'forged form', where, detail: `status ${status}` })
    }
  }
  return findings
}
