import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The broken links of the pages in the given folder, below `docs` and in the tests. */
export function brokenLinks(folder: string): string[] {
  const pages = globSync(['*.md', 'docs/**/*.md', 'framework/tests/*.md'], {
    cwd: folder,
  }).toSorted()
  return pages.flatMap((page) =>
    linksOf(readFileSync(join(folder, page), 'utf8'))
      .filter((link) => !leadsSomewhere(folder, page, link))
      .map((link) => `${page} links to ${link}`),
  )
}

/** The pages below `docs` that its index does not link to, themselves or by their folder. */
export function unlistedPages(folder: string): string[] {
  const docs = join(folder, 'docs')
  const links = new Set(linksOf(readFileSync(join(docs, 'README.md'), 'utf8')))
  return globSync('**/*.md', { cwd: docs })
    .filter((page) => page !== 'README.md' && !links.has(page) && !links.has(dirname(page)))
    .toSorted()
}

/** Links to files of the repository and to headings; external links are ignored. */
function linksOf(markdown: string): string[] {
  const targets = [...prose(markdown).matchAll(/\]\(([^()\s]+)\)/g)].map(
    ([, target = '']) => target,
  )
  return targets.filter((target) => !/^[a-z]+:/.test(target))
}

function leadsSomewhere(folder: string, page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? join(folder, page) : join(folder, dirname(page), path)
  if (relative(folder, file).startsWith('..') || !existsSync(file)) return false
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor)
}

/** The anchors of headings: lower case, spaces as hyphens, no punctuation. */
function anchorsOf(markdown: string): string[] {
  return [...prose(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** A page without its code blocks. */
function prose(markdown: string): string {
  return markdown.replaceAll(/^ *(`{3,}|~{3,})[^]*?^ *\1 *$/gm, '')
}
