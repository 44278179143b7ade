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

/** A body as it is shown: JSON with line breaks, anything else as it came. */
export function readable(text: string, type: string): string {
  if (!/[/+]json\b/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
