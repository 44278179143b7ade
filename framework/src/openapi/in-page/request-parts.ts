/** The fields of a form that tries an operation: `path:id` or `query:page`, with what was typed. */
export type TypedFields = readonly (readonly [name: string, value: string])[]

/** The address of a request: parameters in their places, an empty one of the query left out. */
export function addressOf(template: string, fields: TypedFields): string {
  let path = template
  const query = new URLSearchParams()
  for (const [name, value] of fields) {
    const [place = '', ...rest] = name.split(':')
    const parameter = rest.join(':')
    if (place === 'path') path = path.replace(`{${parameter}}`, () => encodeURIComponent(value))
    // Several values of a list are separated by commas.
    else if (place === 'query' && value !== '') {
      const values = parameter.endsWith('[]') ? value.split(',') : [value]
      for (const one of values) query.append(parameter, one.trim())
    }
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** A request as `curl` sends it. */
export interface CurlRequest {
  readonly method: string
  readonly url: string
  /** Whether an API token is accepted. */
  readonly takesToken: boolean
  /** JSON; null for no body. */
  readonly body: string | null
  /** Names of fields and of the files for them; with any, the members of the body are fields too. */
  readonly files: readonly (readonly [field: string, file: string])[]
}

/** The command that sends a request from a POSIX shell. Of a token there is only its place. */
export function curlLine({ method, url, takesToken, body, files }: CurlRequest): string {
  const fields: readonly [string, unknown][] =
    files.length === 0 ? [] : Object.entries(Object(JSON.parse(body ?? '{}')))
  const words = [
    ...(method === 'GET' ? [] : ['-X', method]),
    '-H',
    'Accept: application/json',
    ...(takesToken ? ['-H', 'Authorization: Bearer YOUR_TOKEN'] : []),
    // As `-d` they could name a file to be sent.
    ...(body === null || files.length > 0
      ? []
      : ['-H', 'Content-Type: application/json', '--data-raw', body]),
    ...fields.flatMap(([name, value]) => ['--form-string', `${name}=${String(value)}`]),
    ...files.flatMap(([name, file]) => ['-F', `${name}=@"${file.replaceAll(/["\\]/g, '\\$&')}"`]),
  ]
  // Braces and brackets of an address are not patterns.
  return ['curl', '-g', quoted(url), ...words.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A body as it is shown: JSON with line breaks, anything else as it came. */
export function readable(text: string, type: string): string {
  if (!/[/+]json\b/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
