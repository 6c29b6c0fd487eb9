import type { Page } from '@playwright/test'

/**
 * Does what a browser's translation does to each present and future text of the page: it replaces the text
 * node with elements that have their own text.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.addInitScript(TRANSLATE)
  await page.evaluate(TRANSLATE)
}

const TRANSLATE = `(() => {
  const done = new WeakSet()
  const translate = (text) => {
    const parent = text.parentElement
    if (parent === null || done.has(text) || text.data.trim() === '') return
    if (parent.closest('[translate=no], script, style, textarea, title, option, svg') !== null) return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    const other = document.createTextNode(text.data)
    done.add(other)
    inner.append(other)
    outer.append(inner)
    text.replaceWith(outer)
  }
  const translateAll = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode() !== null) texts.push(walker.currentNode)
    texts.forEach(translate)
  }
  const begin = () => {
    translateAll(document.body)
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes) {
        if (type === 'characterData') done.delete(target), translate(target)
        for (const node of addedNodes) node.nodeType === Node.TEXT_NODE ? translate(node) : translateAll(node)
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  }
  document.body === null ? addEventListener('DOMContentLoaded', begin) : begin()
})()`
