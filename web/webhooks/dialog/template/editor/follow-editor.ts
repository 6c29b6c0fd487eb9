import { completionStatus } from '@codemirror/autocomplete'
import { type EditorView, repositionTooltips, ViewPlugin, type ViewUpdate } from '@codemirror/view'

/**
 * Keeps the completion list at its word when something above the editor changes its height. CodeMirror
 * follows only scrolling and its own size.
 */
export const followEditor = ViewPlugin.fromClass(
  class {
    private readonly view: EditorView
    private frame: number | undefined
    private place = ''

    constructor(view: EditorView) {
      this.view = view
    }

    update({ state }: ViewUpdate): void {
      if (completionStatus(state) !== null) this.frame ??= requestAnimationFrame(this.look)
    }

    private readonly look = (): void => {
      const { top, left, width } = this.view.dom.getBoundingClientRect()
      const place = [top, left, width].join(' ')
      if (place !== this.place) {
        this.place = place
        // The measurement first checks that the editor is visible.
        this.view.requestMeasure({ read: () => repositionTooltips(this.view) })
      }
      const isOpen = completionStatus(this.view.state) !== null
      this.frame = isOpen ? requestAnimationFrame(this.look) : undefined
    }

    destroy(): void {
      if (this.frame !== undefined) cancelAnimationFrame(this.frame)
    }
  },
)
