import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const textFile = /\.(?:[cm]?[jt]s|json|html|css|svg|md|yml|example)$|^[^.]+$|^\./

/** The title of a site, from the name of its project: `corner-shop` is "Corner shop". */
export function titleOf(name: string): string {
  const words = name.split(/[._-]+/).filter((word) => word !== '')
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A text of the scaffold in the words of a project: the scaffold is a demo, and says so everywhere. */
export function inOwnWords(text: string, name: string): string {
  return (
    text
      // First, since the name of the project may have these words, too.
      .split('Framework demo')
      .map((part) => part.replaceAll('Demo', 'App').replaceAll('demo', 'app'))
      .join(titleOf(name))
      // The image and its volume.
      .replaceAll(/^.*\bdocker (?:build|run) .*$/gm, (line) =>
        line.replaceAll(/(?<=--tag )app\b|\bapp(?=-storage:)|(?<= )app(?= node |$)/g, name),
      )
  )
}

/** Renames a copy of the scaffold: in its files, and files of which the name says "demo". */
export function useOwnName(folder: string, name: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name.replaceAll('demo', 'app'))
    if (entry.name.includes('demo')) renameSync(join(folder, entry.name), path)
    if (entry.isDirectory()) useOwnName(path, name)
    else if (entry.isFile() && textFile.test(entry.name)) rewrite(path, name)
  }
}

function rewrite(file: string, name: string): void {
  const text = readFileSync(file, 'utf8')
  const own = inOwnWords(text, name)
  if (own !== text) writeFileSync(file, own)
}
