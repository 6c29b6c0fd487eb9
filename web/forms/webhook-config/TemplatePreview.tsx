import clsx from 'clsx'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { PLACEHOLDERS } from '../../../core/domain/placeholders.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { findJsonObjectFault } from './check-json-object.ts'
import { previewTemplate } from './preview-template.ts'
import { suggestPlaceholder } from './suggest-placeholder.ts'
import type { WebhookFormValues } from './webhook-form-values.ts'

const KNOWN_NAMES = PLACEHOLDERS.map(({ name }) => name)

export interface TemplatePreviewProps {
  template: string
  /** Replaces every `wrong` in the template by `right`. */
  onReplace: (wrong: string, right: string) => void
}

export function TemplatePreview({ template, onReplace }: TemplatePreviewProps) {
  const method = useWatch<WebhookFormValues, 'request_method'>({ name: 'request_method' })
  const payloadType = useWatch<WebhookFormValues, 'payload_type'>({ name: 'payload_type' })
  const [openedAt] = useState(() => new Date())
  const [lastGood, setLastGood] = useState(template)
  const broken = findJsonObjectFault(template) !== null
  // While a key is half typed the last good rendering stays, so the pane does not flicker empty.
  if (!broken && template !== lastGood) setLastGood(template)
  const shown = broken ? lastGood : template
  if (findJsonObjectFault(shown) !== null)
    return <p className="text-sm text-muted">Mend the JSON to see the preview.</p>
  const preview = previewTemplate(shown, payloadType, openedAt)

  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="text-sm font-medium">Preview</h3>
        <p className="font-mono text-xs text-muted">
          {method} · {preview.contentType} · {preview.bytes.toLocaleString('en-US')} B
        </p>
      </div>
      {preview.unknownPlaceholders.map((name) => (
        <UnknownPlaceholder key={name} name={name} onReplace={onReplace} />
      ))}
      <div className={clsx('min-w-0 transition-opacity', broken && 'opacity-50')}>
        <CodeBlock
          label="Rendered body"
          code={preview.text}
          className={clsx(
            '[&_pre]:max-h-120 [&_pre]:min-h-60',
            payloadType === 'FORM' && '[&_pre]:break-all',
          )}
        />
      </div>
      <p className="text-xs text-muted">
        {broken
          ? 'The last valid template. Mend the JSON to refresh it.'
          : 'Filled with a fictional test lead, as Test Endpoint sends it.'}
      </p>
    </section>
  )
}

function UnknownPlaceholder({
  name,
  onReplace,
}: {
  name: string
  onReplace: TemplatePreviewProps['onReplace']
}) {
  const suggestion = suggestPlaceholder(name, KNOWN_NAMES)
  return (
    <div
      role="status"
      className="flex items-center gap-2 rounded-lg bg-waiting-soft px-3 py-2 text-xs text-ink"
    >
      <TriangleAlert aria-hidden className="size-3.5 shrink-0 text-waiting" />
      <p className="min-w-0 flex-1 break-words">
        <code className="font-mono font-medium">{`{{${name}}}`}</code> is not a known placeholder and will be
        sent empty.
        {suggestion !== undefined && (
          <>
            {' '}
            Did you mean <code className="font-mono font-medium">{`{{${suggestion}}}`}</code>?
          </>
        )}
      </p>
      {suggestion !== undefined && (
        <Button size="sm" onClick={() => onReplace(name, suggestion)}>
          Replace
        </Button>
      )}
    </div>
  )
}
