/** The name of an error's class; a name the error gave itself counts when its class is plain `Error`. */
export function className(error: Error): string {
  try {
    const { constructor, name } = error
    const ofClass = typeof constructor === 'function' ? constructor.name : ''
    if (ofClass !== '' && ofClass !== 'Error') return ofClass
    return typeof name === 'string' && name !== '' ? name : 'Error'
  } catch {
    // A hostile getter; the class is not worth a second failure.
    return 'Error'
  }
}
