import { DEFAULT_PAYLOAD_TEMPLATE, PAYLOAD_TYPES } from '#core/contract/webhooks/webhook-config.ts'
import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { Section } from '../parts/Section.tsx'
import { showPreview } from './show-preview.ts'

const TEMPLATE = JSON.stringify(DEFAULT_PAYLOAD_TEMPLATE, null, 2)
const NAMES = { JSON: 'JSON', FORM: 'Form data' }

/**
 * Complete without JavaScript; web/site/client/islands/playground.ts keeps it in step with the typed text.
 */
export function Playground({ now }: { now: Date }) {
  const preview = showPreview(TEMPLATE, 'JSON', now)
  return (
    <Section
      id="template"
      title="Your fields, your names"
      lead="A template says what your CRM receives. Change this one: your browser shows the result, with the same code that renders every delivery."
    >
      <form id="playground" className="grid gap-4 md:grid-cols-2" data-now={now.toISOString()}>
        <div className="flex min-w-0 flex-col gap-2">
          <div className="flex min-h-8 flex-wrap items-center justify-between">
            <label htmlFor="playground-template" className="text-sm font-medium">
              Template
            </label>
            <button
              type="reset"
              className="min-h-8 rounded-sm text-sm text-muted hover:text-ink needs-script"
            >
              Start again
            </button>
          </div>
          <textarea
            id="playground-template"
            rows={12}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            aria-describedby="playground-problem"
            className={`${CONTROL_CLASS} h-72 resize-y py-3 font-mono text-xs leading-5`}
            defaultValue={TEMPLATE}
          />
          <p id="playground-problem" role="status" className="min-h-5 text-sm text-waiting" />
        </div>
        <div className="flex min-w-0 flex-col gap-2">
          <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4">
            <h3 className="text-sm font-medium">What is sent</h3>
            <fieldset className="flex gap-4 text-sm needs-script">
              <legend className="sr-only">Payload Format</legend>
              {PAYLOAD_TYPES.map((type) => (
                <label key={type} className="flex min-h-8 items-center gap-1.5">
                  <input
                    type="radio"
                    name="format"
                    value={type}
                    defaultChecked={type === 'JSON'}
                    className="size-4 accent-accent"
                  />
                  {NAMES[type]}
                </label>
              ))}
            </fieldset>
          </div>
          <pre
            role="region"
            aria-label="What is sent"
            tabIndex={0}
            className="h-72 overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
          >
            <output id="playground-output" htmlFor="playground-template">
              {preview.text}
            </output>
          </pre>
          <p id="playground-facts" className="min-h-5 text-sm text-muted tabular">
            {preview.contentType} · {preview.bytes} bytes
          </p>
        </div>
      </form>
    </Section>
  )
}
