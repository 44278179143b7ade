const special = /[&<>"']/

/** Text made safe for HTML content and for quoted attribute values. */
export function escapeHtml(text: string): string {
  const first = text.search(special)
  return first === -1 ? text : escapeFrom(text, first)
}

// A loop over character codes: templates escape every value, and replace() with a callback is slower.
function escapeFrom(text: string, first: number): string {
  let escaped = ''
  let kept = 0
  for (let at = first; at < text.length; at += 1) {
    const entity = entityOf(text.charCodeAt(at))
    if (entity === '') continue
    escaped += text.slice(kept, at) + entity
    kept = at + 1
  }
  return escaped + text.slice(kept)
}

function entityOf(code: number): string {
  switch (code) {
    case 0x22:
      return '&quot;'
    case 0x26:
      return '&amp;'
    case 0x27:
      return '&#39;'
    case 0x3c:
      return '&lt;'
    case 0x3e:
      return '&gt;'
    default:
      return ''
  }
}
