import { lazy, Suspense, useDeferredValue, useEffect, useRef } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { describeJsonFault, findJsonObjectFault } from '../check-json-object.ts'
import { describeFormat } from './describe-format.ts'
import { PlaceholderPalette } from './palette/PlaceholderPalette.tsx'
import { PlainTemplate } from './PlainTemplate.tsx'
import { TemplatePreview } from './TemplatePreview.tsx'
import type { TemplateTextHandle } from './template-text.ts'
import { usePlainText } from './use-plain-text.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

// If the chunk cannot be loaded, the plain field takes its place. A call chained to import() would become
// part of Vite's preload.
const CodeEditor = lazy(async () => {
  try {
    const loaded = await fetchPart(() => import('./editor/CodeEditor.tsx'), false)
    return { default: loaded.CodeEditor }
  } catch {
    return { default: PlainTemplate }
  }
})

/** Edits the template, with a palette of placeholders and a preview beside it. */
export function TemplateEditor() {
  const { control, setValue, formState } = useFormContext<WebhookFormValues>()
  const [text, payloadType] = useWatch<WebhookFormValues, ['payload_template', 'payload_type']>({
    name: ['payload_template', 'payload_type'],
  })
  const previewed = useDeferredValue(text)
  const [isPlain, setPlain] = usePlainText()
  const handle = useRef<TemplateTextHandle>(null)
  const waiting = useRef<string[]>([])
  const fault = findJsonObjectFault(text)
  const Text = isPlain ? PlainTemplate : CodeEditor

  return (
    <div className="grid min-w-0 gap-x-6 gap-y-5 lg:col-span-2 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Field
          label="Payload Template"
          hint={describeFormat(payloadType)}
          error={fault === null ? formState.errors.payload_template?.message : describeJsonFault(fault)}
          aside={
            <Button variant="quiet" size="sm" onClick={() => setPlain(!isPlain)}>
              {isPlain ? 'Use the code editor' : 'Use plain text'}
            </Button>
          }
        >
          <Suspense fallback={<Skeleton className="h-62 w-full" />}>
            <Controller
              control={control}
              name="payload_template"
              render={({ field }) => (
                <Text text={text} onChange={field.onChange} onBlur={field.onBlur} handle={handle} />
              )}
            />
            <LateInsertions handle={handle} waiting={waiting} />
            <ShownFault handle={handle} isFaulty={fault !== null} />
          </Suspense>
        </Field>
        <PlaceholderPalette
          onInsert={(inner) => {
            if (handle.current === null) waiting.current.push(inner)
            else handle.current.insert(inner)
          }}
        />
      </div>
      <TemplatePreview
        template={previewed}
        onReplace={(next) => {
          setValue('payload_template', next, { shouldDirty: true, shouldValidate: formState.isSubmitted })
          // The button disappears after the correction.
          handle.current?.focus()
        }}
      />
    </div>
  )
}

/** Inserts placeholders that were chosen before the editor was loaded. */
function LateInsertions({
  handle,
  waiting,
}: {
  handle: React.RefObject<TemplateTextHandle | null>
  waiting: React.RefObject<string[]>
}) {
  useEffect(() => {
    for (const inner of waiting.current.splice(0)) handle.current?.insert(inner)
  }, [handle, waiting])
  return null
}

/**
 * Shows the first fault after a refused save, once the editor is loaded, unless another field must be
 * corrected first.
 */
function ShownFault({
  handle,
  isFaulty,
}: {
  handle: React.RefObject<TemplateTextHandle | null>
  isFaulty: boolean
}) {
  const { submitCount, isSubmitSuccessful } = useFormContext<WebhookFormValues>().formState
  const isWanted = isFaulty && !isSubmitSuccessful
  const told = useRef(0)
  useEffect(() => {
    if (!isWanted || submitCount === told.current) return
    told.current = submitCount
    const elsewhere = document.activeElement?.matches(
      '[aria-invalid="true"]:not([contenteditable], textarea)',
    )
    if (elsewhere !== true) handle.current?.showFault()
  }, [submitCount, isWanted, handle])
  return null
}
