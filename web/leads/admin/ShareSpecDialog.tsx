import { useState } from 'react'
import { z } from 'zod'
import { POSTING_SPEC_DAYS, sharedPostingSpecSchema } from '#core/contract/leads/posting-spec.ts'
import type { Source } from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { countOf } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { useChange } from '#web/components/admin/use-change.ts'

const DAYS = POSTING_SPEC_DAYS.map((days) => ({ value: String(days), label: countOf(days, 'day') }))

/** Makes and revokes links to a source's posting specification. */
export function ShareSpecDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const [days, setDays] = useState('7')
  const [link, setLink] = useState<z.output<typeof sharedPostingSpecSchema>>()
  const path = apiPath('admin', 'sources', source.id, 'posting-spec')
  const share = useChange(
    () => request(path, sharedPostingSpecSchema, { method: 'POST', body: { days: Number(days) } }),
    { onDone: setLink },
  )
  const revoke = useChange(() => request(path, z.undefined(), { method: 'DELETE' }), {
    done: () => 'All links are invalid now',
    onDone: () => setLink(undefined),
  })
  const failure = share.failure ?? revoke.failure
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={`Posting spec of ${source.name}`}
      description="A page that says how this source posts its leads, with examples and a form that sends test leads. Anybody with the link can see it. It contains no key."
      footer={
        <>
          <Button
            variant="quiet"
            className="mr-auto"
            busy={revoke.isBusy}
            onClick={() => revoke.send(undefined)}
          >
            End all links
          </Button>
          <DialogClose>Close</DialogClose>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {failure !== undefined && (
          <Banner tone="failure" urgent>
            {failure}
          </Banner>
        )}
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Good for" className="w-40">
            <Select value={days} onValueChange={setDays} options={DAYS} />
          </Field>
          <Button variant="primary" busy={share.isBusy} onClick={() => share.send(undefined)}>
            Create link
          </Button>
        </div>
        {link !== undefined && (
          <div className="flex flex-col items-start gap-2">
            <CodeBlock label="Link" code={link.url} className="w-full" />
            <div className="flex flex-wrap items-center gap-3">
              <CopyButton value={link.url} label="Copy link" labelled />
              <p className="text-xs text-muted">
                Ends <RelativeTime at={link.expires_at} />. It is not stored: make another one if you lose it.
              </p>
            </div>
          </div>
        )}
      </div>
    </Dialog>
  )
}
