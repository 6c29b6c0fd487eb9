import { StyleModule } from 'style-mod'

interface Adopted {
  sheet: CSSStyleSheet
  modules: StyleModule[]
}
const adopted = new WeakMap<DocumentOrShadowRoot, Adopted>()

/**
 * CodeMirror writes its styles into a `<style>` element. The content security policy refuses that without a
 * nonce, and a page that is the same for everybody has none. A constructed sheet needs no nonce, but
 * style-mod uses one only in a shadow root.
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
    // The later rule wins, so modules that were mounted earlier stay first.
    held.modules = [...held.modules.filter((one) => !modules.includes(one)), ...modules]
    held.sheet.replaceSync(held.modules.map((one) => one.getRules()).join('\n'))
  }
}
