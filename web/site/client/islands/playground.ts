import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import { JsonSyntaxError } from '#core/domain/webhooks/template/json-tree.ts'
import { showPreview } from '../../home/show-preview.ts'

const form = document.querySelector<HTMLFormElement>('#playground')
if (form !== null) follow(form)

/** The preview of the home page follows what is typed; what is wrong is said under the template, and the last good one stays. */
function follow(form: HTMLFormElement) {
  const template = pick<HTMLTextAreaElement>('#playground-template')
  const output = pick('#playground-output')
  const facts = pick('#playground-facts')
  const problem = pick('#playground-problem')
  const now = new Date(form.dataset['now'] ?? '')
  const show = () => {
    const type: PayloadType = new FormData(form).get('format') === 'FORM' ? 'FORM' : 'JSON'
    try {
      const preview = showPreview(template.value, type, now)
      output.textContent = preview.text
      facts.textContent = `${preview.contentType} · ${preview.bytes} bytes`
      say(preview.unknown.length === 0 ? '' : `No lead has ${preview.unknown.join(', ')}: it is sent empty.`)
    } catch (error) {
      say(error instanceof JsonSyntaxError ? `Not JSON yet: ${error.message}` : 'This cannot be rendered.')
    }
  }
  const say = (text: string) => {
    if (problem.textContent !== text) problem.textContent = text
  }
  form.addEventListener('input', show)
  form.addEventListener('submit', (event) => event.preventDefault())
  // Its fields are reset after the event.
  form.addEventListener('reset', () => setTimeout(show))
  // A browser that comes back to the page brings back what was typed.
  show()
}

function pick<T extends Element = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}
