import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { constantsOf, describeConstant, type WebhookFormValues } from '../webhook-form-values.ts'

/** One input for each constant in the form's texts; nothing without constants. */
export function Constants() {
  const { register, formState } = useFormContext<WebhookFormValues>()
  const [endpoint_url, custom_headers, payload_template] = useWatch<
    WebhookFormValues,
    ['endpoint_url', 'custom_headers', 'payload_template']
  >({ name: ['endpoint_url', 'custom_headers', 'payload_template'] })
  const names = constantsOf({ endpoint_url, custom_headers, payload_template })
  if (names.length === 0) return null
  return (
    <fieldset className="min-w-0 rounded-lg border border-line p-4">
      <legend className="px-1 text-sm font-medium">To fill in</legend>
      <p className="text-xs text-muted">
        The same for every lead. Each takes the place of its {'<<name>>'} when you save or test. In the
        template or the address it stays readable here; for a secret, a custom header or Authentication is
        safer.
      </p>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        {names.map((name) => {
          const constant = describeConstant(name)
          return (
            <Field
              key={name}
              label={constant?.label ?? name}
              required
              error={formState.errors.constants?.[name]?.message}
              {...(constant?.hint === undefined ? {} : { hint: constant.hint })}
            >
              <TextInput
                {...register(`constants.${name}`)}
                mono
                autoComplete="off"
                spellCheck={false}
                maxLength={500}
              />
            </Field>
          )
        })}
      </div>
    </fieldset>
  )
}
