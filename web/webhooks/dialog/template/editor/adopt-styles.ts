import { StyleModule } from 'style-mod'

interface Adopted {
  sheet: CSSStyleSheet
  modules: StyleModule[]
}
const adopted = new WeakMap<DocumentOrShadowRoot, Adopted>()

/**
 * CodeMirror writes its styles into a `<style>` element, which the content policy refuses without a nonce, and a page that is the
 * same bytes for everybody has none. A constructed sheet needs none; style-mod itself takes one in a shadow root only.
 */
export function adoptStyles(): void {
  StyleModule.mount = (root, given) => {
    const modules: readonly StyleModule[] = given instanceof StyleModule ? [given] : given
    const held = adopted.get(root) ?? { sheet: new CSSStyleSheet(), modules: [] }
    if (!adopted.has(root)) {
      adopted.set(root, held)
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, held.sheet]
    }
    if (modules.every((one) => held.modules.includes(one))) return
    // The later rule wins: what was mounted before stays below.
    held.modules = [...held.modules.filter((one) => !modules.includes(one)), ...modules]
    held.sheet.replaceSync(held.modules.map((one) => one.getRules()).join('\n'))
  }
}
