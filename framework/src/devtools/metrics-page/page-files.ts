import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { HttpError } from '../../http/errors/http-error.ts'
import { Compression } from '../../http/middlewares/compression.ts'
import type { Router } from '../../http/router/router.ts'
import { modulePath, serveModules } from '../page-modules.ts'

const folder = join(import.meta.dirname, 'in-page')

/** URL of the entry module, relative to that of the page. */
export const pageModule: string = `metrics/page/${modulePath(folder, 'dom/dashboard')}`

/** Declares the routes of what the page loads: the modules in `in-page/`, and uPlot, which draws the charts. */
export function declarePageFiles(router: Router): void {
  serveModules(router, '/metrics/page', folder)
  router.get(
    '/metrics/page/:name<uplot-[0-9a-f]+\\.(?:js|css)>',
    ({ params: { name } }, response) => {
      const file = Object.values(plotFiles()).find(({ url }) => url.endsWith(`/${name}`))
      if (file === undefined) throw new HttpError(404)
      return response
        .header('Cache-Control', 'private, max-age=31536000, immutable')
        .text(file.text)
        .header('Content-Type', file.type)
    },
    { middlewares: [new Compression()] },
  )
}

/** A file of uPlot. Its URL, relative to that of the page, changes with the content, so it is cached for ever. */
export interface PlotFile {
  readonly url: string
  readonly type: string
  readonly text: string
}

let files: Readonly<Record<'script' | 'style', PlotFile>> | null = null

/** Read from the installed package with the first page: most workers never show one. */
export function plotFiles(): Readonly<Record<'script' | 'style', PlotFile>> {
  files ??= {
    // The small build is a classic script; the page imports it as a module.
    script: plotFile('uPlot.iife.min.js', 'js', 'text/javascript', '\nexport default uPlot\n'),
    style: plotFile('uPlot.min.css', 'css', 'text/css', ''),
  }
  return files
}

function plotFile(name: string, ending: string, type: string, end: string): PlotFile {
  const path = createRequire(import.meta.url).resolve(`uplot/dist/${name}`)
  const text = readFileSync(path, 'utf8') + end
  const url = `metrics/page/uplot-${hash('sha256', text).slice(0, 16)}.${ending}`
  return { url, type: `${type}; charset=utf-8`, text }
}
