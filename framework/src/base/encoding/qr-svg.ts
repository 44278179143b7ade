import { escapeHtml } from './escape-html.ts'

/** Options of `qrSvg`. */
export interface QrSvgOptions {
  /** What it shows, for people who cannot see it. @default 'QR code' */
  readonly label?: string
}

/** White modules around the code, without which cameras do not find it. */
const border = 4

/**
 * A text as QR code: an SVG element for a page, black on white in dark mode too, since many cameras
 * cannot read the opposite. It has no size of its own; set its width with CSS.
 */
export async function qrSvg(
  text: string,
  { label = 'QR code' }: QrSvgOptions = {},
): Promise<string> {
  // Loaded with the first code: most processes never draw one.
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'M', border })
  const path = data.map(rowPath).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img"` +
    ` aria-label="${escapeHtml(label)}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
  )
}

/** One rectangle for each run of dark modules. */
function rowPath(modules: readonly boolean[], row: number): string {
  let path = ''
  let start = -1
  for (const [column, isDark] of [...modules, false].entries()) {
    if (isDark && start === -1) start = column
    if (isDark || start === -1) continue
    path += `M${start} ${row}h${column - start}v1H${start}z`
    start = -1
  }
  return path
}
