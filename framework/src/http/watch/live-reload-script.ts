/** Path of the events that tell pages of changed files. */
export const liveReloadPath = '/live-reload'

/** An attribute of the script, by which a page that has it is known. */
export const liveReloadMark = 'data-live-reload'

/**
 * The script that reloads a page when its server or a file has changed since `state`, and swaps styles in
 * place. A page in the background is not connected: browsers allow six connections to a site.
 */
export function liveReloadScript(state: string, nonce: string): string {
  return `<script nonce="${nonce}" ${liveReloadMark}>(() => {
  let state = '${state}', source
  const swapStyles = () => {
    for (const link of document.querySelectorAll('link[rel~="stylesheet"]')) {
      const url = new URL(link.href)
      if (url.origin !== location.origin) continue
      url.searchParams.set('live', state)
      const fresh = link.cloneNode()
      fresh.href = url.href
      fresh.onload = fresh.onerror = () => link.remove()
      link.after(fresh)
    }
  }
  const open = () => {
    source?.close()
    if (document.hidden) return
    source = new EventSource('${liveReloadPath}')
    source.addEventListener('state', ({ data }) => { if (data !== state) location.reload() })
    source.addEventListener('styles', ({ data }) => { state = data; swapStyles() })
    source.onerror = () => { if (source.readyState === 2) setTimeout(open, 1000) }
  }
  document.addEventListener('visibilitychange', open)
  open()
})()</script>`
}
