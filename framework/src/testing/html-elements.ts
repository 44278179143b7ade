import { parse } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node

/** An element of a page. */
export type HtmlElement = DefaultTreeAdapterTypes.Element

/** The elements of a page in order, as a browser without JavaScript sees them. */
export function elementsOn(page: string): HtmlElement[] {
  return elementsIn(parse(page, { scriptingEnabled: false }))
}

/** The elements inside another one, in order. */
export function elementsIn(node: Node): HtmlElement[] {
  const found: HtmlElement[] = []
  const visit = (one: Node): void => {
    for (const child of childrenOf(one)) {
      if ('tagName' in child) found.push(child)
      visit(child)
    }
  }
  visit(node)
  return found
}

/** An attribute; null if the element does not have it. */
export function attribute({ attrs }: HtmlElement, name: string): string | null {
  return attrs.find((one) => one.name === name)?.value ?? null
}

/** What a visitor reads of an element, with single spaces, except in elements that are left out. */
export function textOf(node: Node, leftOut: readonly string[] = []): string {
  const skipped = new Set([...leftOut, 'script', 'style'])
  const texts = (one: Node): string[] => {
    if ('value' in one) return [one.value]
    return skipped.has(one.nodeName) ? [] : childrenOf(one).flatMap(texts)
  }
  return childrenOf(node).flatMap(texts).join(' ').replaceAll(/\s+/g, ' ').trim()
}

function childrenOf(node: Node): readonly Node[] {
  return 'childNodes' in node ? node.childNodes : []
}
