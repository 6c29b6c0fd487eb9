import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { chooseEndpointUrl, findOverwritten, startFromPreset, type StartingPoint } from './apply-preset.ts'
import { SAVED, type WebhookFormValues } from '../webhook-form-values.ts'

const PRESET_OPTIONS = PRESETS.map(({ id, name }) => ({ value: id, label: name }))
const SAVED_OPTION = { value: SAVED, label: 'This configuration, as saved' }

/** Fills the form in for a known receiver. It asks before it overwrites edited fields. */
export function StartFrom({ defaults }: { defaults: WebhookFormValues }) {
  const { getValues, setValue, formState } = useFormContext<WebhookFormValues>()
  const chosen = useWatch<WebhookFormValues, 'preset'>({ name: 'preset' })
  const [asked, setAsked] = useState<string | null>(null)
  const nameOf = (id: string | null) => PRESETS.find((preset) => preset.id === id)?.name ?? 'the saved one'
  const preset = PRESETS.find(({ id }) => id === chosen)

  const pointOf = (id: string): StartingPoint => {
    const found = PRESETS.find((one) => one.id === id)
    return found === undefined ? defaults : startFromPreset(found)
  }
  const apply = (id: string) => {
    const values = getValues()
    const next = pointOf(id)
    const options = { shouldDirty: true, shouldValidate: formState.isSubmitted }
    setValue('endpoint_url', chooseEndpointUrl(values, pointOf(chosen), next), options)
    setValue('request_method', next.request_method, options)
    setValue('payload_type', next.payload_type, options)
    setValue('custom_headers', next.custom_headers, options)
    setValue('payload_template', next.payload_template, options)
    setValue('missing_values', next.missing_values, options)
    setValue('answer', next.answer, options)
    setValue('capture_path', next.capture_path, options)
    setValue('preset', id, options)
    setAsked(null)
  }

  return (
    <>
      <Field
        label="Start from"
        className="rounded-lg bg-sunken px-4 py-3 sm:grid sm:grid-cols-[auto_15rem_1fr] sm:items-center sm:gap-x-4"
        hint={
          preset?.note ?? 'A preset replaces method, format, headers, template and how the answer is read.'
        }
      >
        <Select
          value={chosen}
          onValueChange={(id) => {
            const overwritten = findOverwritten(getValues(), pointOf(chosen), pointOf(id))
            if (overwritten.length > 0) setAsked(id)
            else apply(id)
          }}
          options={defaults.preset === SAVED ? [SAVED_OPTION, ...PRESET_OPTIONS] : PRESET_OPTIONS}
        />
      </Field>
      <AlertDialog
        open={asked !== null}
        onOpenChange={(open) => {
          if (!open) setAsked(null)
        }}
        title={`Start from ${nameOf(asked)}?`}
        description="Your changes to method, format, headers, template and the reading of the answer are replaced. Nothing is saved yet."
        confirmLabel="Replace"
        tone="primary"
        asks={false}
        onConfirm={() => {
          if (asked !== null) apply(asked)
        }}
      />
    </>
  )
}
