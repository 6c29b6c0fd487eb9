import { useDeferredValue, useRef } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { TextArea } from '#web/ui/form/TextArea.tsx'
import { describeJsonFault, findJsonObjectFault } from '../check-json-object.ts'
import { PlaceholderPalette } from './PlaceholderPalette.tsx'
import { TemplatePreview } from './TemplatePreview.tsx'
import { replacePlaceholder } from './preview-template.ts'
import { writePlaceholder } from './write-placeholder.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** The template as text, the placeholders to put into it, and beside it what they become. */
export function TemplateEditor() {
  const { register, setValue, formState } = useFormContext<WebhookFormValues>()
  const text = useWatch<WebhookFormValues, 'payload_template'>({ name: 'payload_template' })
  const previewed = useDeferredValue(text)
  const area = useRef<HTMLTextAreaElement | null>(null)
  const { ref, ...template } = register('payload_template')
  const fault = findJsonObjectFault(text)

  const replaceText = (next: string) =>
    setValue('payload_template', next, { shouldDirty: true, shouldValidate: formState.isSubmitted })

  const insert = (name: string) => {
    const editor = area.current
    if (editor === null) return
    const token = writePlaceholder(editor.value.slice(0, editor.selectionStart), name)
    editor.focus()
    // Deprecated without a successor: nothing else types into a text area and leaves Ctrl+Z working.
    // oxlint-disable-next-line typescript/no-deprecated
    document.execCommand('insertText', false, token)
  }

  return (
    <div className="grid min-w-0 gap-x-6 gap-y-5 lg:col-span-2 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Field
          label="Payload Template"
          hint="JSON, sent as it stands: key order and numbers survive. A value that is exactly one placeholder keeps its type."
          error={fault === null ? formState.errors.payload_template?.message : describeJsonFault(fault)}
        >
          <TextArea
            {...template}
            ref={(element) => {
              ref(element)
              area.current = element
            }}
            mono
            rows={12}
          />
        </Field>
        <PlaceholderPalette onInsert={insert} />
      </div>
      <TemplatePreview
        template={previewed}
        onReplace={(wrong, right) => replaceText(replacePlaceholder(text, wrong, right))}
      />
    </div>
  )
}
