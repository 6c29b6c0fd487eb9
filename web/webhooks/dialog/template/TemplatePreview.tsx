import clsx from 'clsx'
import { useState } from 'react'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { DEFAULT_PAYLOAD_TEMPLATE } from '#core/contract/webhooks/webhook-config.ts'
import { writeFields } from '#core/domain/webhooks/by-mail/write-mail.ts'
import { fillJsonConstants } from '#core/domain/webhooks/template/constants.ts'
import { diffLines } from '#web/format/diff-lines.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { DiffBlock } from '#web/ui/show/DiffBlock.tsx'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { findJsonObjectFault } from '../check-json-object.ts'
import { FitNote } from './FitNote.tsx'
import { LeadPicker } from './LeadPicker.tsx'
import { layOutAddress, type FilledAddress } from './preview-address.ts'
import { splitPreview } from './preview-template.ts'
import { TemplateWarnings } from './TemplateWarnings.tsx'
import { usePreview } from './use-preview.ts'
import { usePreviewedForm } from './use-previewed-form.ts'

type View = 'body' | 'difference' | 'address'

const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'body', label: 'Body' },
  { value: 'difference', label: 'Difference to default' },
  { value: 'address', label: 'URL and headers' },
]
const NOTHING_FILLED: FilledAddress = { url: null, headers: {} }
const DEFAULT_TEMPLATE = JSON.stringify(DEFAULT_PAYLOAD_TEMPLATE)

export interface TemplatePreviewProps {
  template: string
  /** Receives a template with a fault corrected. */
  onReplace: (template: string) => void
}

export function TemplatePreview({ template, onReplace }: TemplatePreviewProps) {
  const { method, payloadType, missingValues, fits, constants, address, isMail } = usePreviewedForm()
  const [lead, setLead] = useState<LeadSummary | null>(null)
  const [chosenView, setView] = useState<View>('body')
  // A mail has neither a query nor headers of one's own.
  const views = isMail ? VIEWS.filter(({ value }) => value !== 'address') : VIEWS
  const view = isMail && chosenView === 'address' ? 'body' : chosenView
  const [lastGood, setLastGood] = useState(template)
  const broken = findJsonObjectFault(template) !== null
  // While a key is half typed, the last valid rendering stays, so the pane does not flicker empty.
  if (!broken && template !== lastGood) setLastGood(template)
  const shown = broken ? lastGood : template
  const isReadable = findJsonObjectFault(shown) === null
  const settings = { payloadType, leadId: lead?.id ?? null }
  const filled = isReadable ? fillJsonConstants(shown, constants) : '{}'
  const {
    preview,
    failure,
    unmet,
    filled: sent,
  } = usePreview({
    ...settings,
    template: filled,
    missingValues,
    conditions: fits.conditions ?? null,
    ...(address !== null && { address }),
  })
  const plain = usePreview({ ...settings, template: DEFAULT_TEMPLATE, missingValues: 'empty' })
  const layOut = (text = '') => (isMail ? writeFields(text) : text)
  const split = (text = '') => (isMail ? layOut(text).split('\n') : splitPreview(text, payloadType))
  const isStale = broken || preview === null
  if (!isReadable) {
    return (
      <div className="flex min-w-0 flex-col gap-2">
        <TemplateWarnings template={template} onReplace={onReplace} />
        <p className="text-sm text-muted">Fix the JSON to see the preview.</p>
      </div>
    )
  }

  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-2">
      <div className="-mb-0.5 flex min-h-8 flex-wrap items-center justify-between gap-x-3">
        <h3 className="text-sm font-medium">Preview</h3>
        {preview !== null && (
          <p className="font-mono text-xs text-muted">
            {isMail
              ? 'Mail · text/plain'
              : `${method} · ${preview.contentType} · ${preview.bytes.toLocaleString('en-US')} B`}
          </p>
        )}
      </div>
      <LeadPicker lead={lead} onPick={setLead} />
      <FitNote fits={fits} unmet={unmet} />
      <TemplateWarnings template={template} onReplace={onReplace} />
      {failure !== null && (
        <Banner tone="failure" title="The preview could not be made">
          {failure}
        </Banner>
      )}
      <Tabs label="Preview" value={view} onValueChange={setView} tabs={views}>
        <TabPanel value="body">
          <CodeBlock
            label="Rendered body"
            code={layOut(preview?.text)}
            className={clsx(
              'transition-opacity [&_pre]:max-h-120 [&_pre]:min-h-60',
              payloadType === 'FORM' && '[&_pre]:break-all',
              isStale && 'opacity-50',
            )}
          />
        </TabPanel>
        <TabPanel value="difference">
          <DiffBlock
            label="Difference from the default template"
            lines={diffLines(split(plain.preview?.text), split(preview?.text))}
            className={clsx('max-h-120 min-h-60 transition-opacity', isStale && 'opacity-50')}
          />
        </TabPanel>
        <TabPanel value="address">
          {address === null ? (
            <p className="text-sm text-muted">Fix Custom Headers to see them.</p>
          ) : (
            <CodeBlock
              label="URL and headers"
              code={layOutAddress(method, address, sent ?? NOTHING_FILLED)}
              className={clsx(
                'transition-opacity [&_pre]:max-h-120 [&_pre]:min-h-60 [&_pre]:break-all',
                sent === null && 'opacity-50',
              )}
            />
          )}
        </TabPanel>
      </Tabs>
      <p className="text-xs text-muted">
        {broken && view !== 'address'
          ? 'The last valid template. Fix the JSON to refresh it.'
          : describeFilling(lead, view)}
      </p>
    </section>
  )
}

function describeFilling(lead: LeadSummary | null, view: View): string {
  if (view === 'address') return 'Custom headers only. Values that look like credentials are masked.'
  if (view === 'difference') return '− what the default template would send, + what this one sends.'
  return lead === null
    ? 'Filled with a fictional test lead, as Test Endpoint sends it.'
    : 'Filled with this lead. Test Endpoint sends the fictional one.'
}
