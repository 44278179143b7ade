import { Eta } from 'eta'
import { items, viewsFolder } from '../scenarios.ts'

const eta = new Eta({
  views: viewsFolder,
  defaultExtension: '.template.html',
  cache: true,
})

/** Renders the list; the template is compiled on the first call. Used by every peer. */
export function renderList(): string {
  return eta.render('list', { items })
}
