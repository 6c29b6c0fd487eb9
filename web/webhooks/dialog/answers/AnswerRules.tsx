import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'

const PARTS = [
  {
    name: 'accepted',
    label: 'Accepted when',
    hint: 'Any other answer fails, and is sent again.',
    example: { path: 'success', value: 'true', text: 'success' },
  },
  {
    name: 'duplicate',
    label: 'Duplicate when',
    hint: 'Counts as delivered; the log says duplicate.',
    example: { path: 'status', value: 'duplicate', text: 'duplicate' },
  },
  {
    name: 'rejected',
    label: 'Rejected when',
    hint: 'Counts as failed, and is not sent again by itself.',
    example: { path: 'success', value: 'false', text: 'rejected' },
  },
] as const

const KINDS = [
  { value: 'none', label: 'Not asked' },
  { value: 'path', label: 'A JSON value is' },
  { value: 'contains', label: 'The text contains' },
] as const

/** Edits the success rule, which reads the body of a 2xx. Without a rule, every 2xx is a success. */
export function AnswerRules() {
  const { register, formState } = useFormContext<WebhookFormValues>()
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="text-xs text-muted">
        For receivers that answer 200 and mean no. The first 16 KiB of the body are read; upper and lower case
        count the same.
      </p>
      <div className="grid gap-x-6 gap-y-5 md:grid-cols-3">
        {PARTS.map((part) => (
          <MatchFields key={part.name} {...part} />
        ))}
      </div>
      <Field
        label="Id at the receiver"
        hint="A path in its JSON answer. The id shows in the logs and on the lead."
        error={formState.errors.capture_path?.message}
        className="md:max-w-sm"
      >
        <TextInput
          {...register('capture_path')}
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="data.lead_id"
        />
      </Field>
    </div>
  )
}

function MatchFields({ name, label, hint, example }: (typeof PARTS)[number]) {
  const { register, control, formState } = useFormContext<WebhookFormValues>()
  const kind = useWatch<WebhookFormValues, `answer.${typeof name}.kind`>({ name: `answer.${name}.kind` })
  const errors = formState.errors.answer?.[name]
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Controller
        control={control}
        name={`answer.${name}.kind`}
        render={({ field }) => (
          <Field label={label} hint={hint}>
            <Select value={field.value} onValueChange={field.onChange} options={KINDS} />
          </Field>
        )}
      />
      {kind === 'path' && (
        <div className="grid grid-cols-2 gap-2 tight:grid-cols-1">
          <Field label={`${label}: path`} labelHidden error={errors?.path?.message}>
            <TextInput
              {...register(`answer.${name}.path`)}
              mono
              autoComplete="off"
              spellCheck={false}
              placeholder={example.path}
            />
          </Field>
          <Field label={`${label}: value`} labelHidden error={errors?.value?.message}>
            <TextInput
              {...register(`answer.${name}.value`)}
              mono
              autoComplete="off"
              spellCheck={false}
              placeholder={example.value}
              maxLength={200}
            />
          </Field>
        </div>
      )}
      {kind === 'contains' && (
        <Field label={`${label}: text`} labelHidden error={errors?.value?.message}>
          <TextInput
            {...register(`answer.${name}.value`)}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder={example.text}
            maxLength={200}
          />
        </Field>
      )}
    </div>
  )
}
