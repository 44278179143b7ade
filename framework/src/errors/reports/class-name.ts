/** The class name of an error; for a plain `Error` its own `name`. */
export function className(error: Error): string {
  try {
    const { constructor, name } = error
    const ofClass = typeof constructor === 'function' ? constructor.name : ''
    if (ofClass !== '' && ofClass !== 'Error') return ofClass
    return typeof name === 'string' && name !== '' ? name : 'Error'
  } catch {
    // A throwing getter.
    return 'Error'
  }
}
