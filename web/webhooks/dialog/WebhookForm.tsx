import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { FormProvider, useForm, type FieldErrors } from 'react-hook-form'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { writeWebhookBody } from '../queries/webhook-config-text.ts'
import { useSaveWebhook } from '../queries/webhook-configs.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { AdvancedOptions } from './AdvancedOptions.tsx'
import { BasicFields } from './BasicFields.tsx'
import { SigningSecret } from './access/SigningSecret.tsx'
import {
  INVALID_JSON_MESSAGE,
  refusalOfField,
  webhookFormSchema,
  writeWebhookFields,
  type WebhookFormValues,
} from './webhook-form-values.ts'

export interface FormStatus {
  dirty: boolean
  saving: boolean
  /** There is a form on screen that can be sent. */
  ready: boolean
}

export interface WebhookFormProps {
  formId: string
  configId: string | null
  /** What the form begins with; it is mounted anew each time the dialog opens. */
  values: WebhookFormValues
  onStatus: (status: FormStatus) => void
  onSaved: () => void
}

export function WebhookForm({ formId, configId, values, onStatus, onSaved }: WebhookFormProps) {
  const form = useForm({ resolver: zodResolver(webhookFormSchema), defaultValues: values })
  const save = useSaveWebhook()
  const { isDirty, errors } = form.formState
  const saving = save.isPending

  useEffect(() => {
    onStatus({ dirty: isDirty, saving, ready: true })
    return () => onStatus({ dirty: false, saving: false, ready: false })
  }, [isDirty, saving, onStatus])

  const submit = async (checked: WebhookFormValues) => {
    try {
      await save.mutateAsync({
        id: configId,
        jsonText: writeWebhookBody(writeWebhookFields(checked)),
        saveKey: crypto.randomUUID(),
      })
      toast.success(configId === null ? 'Webhook created successfully' : 'Webhook updated successfully')
      onSaved()
    } catch (error) {
      toast.error('Failed to save webhook configuration')
      showRefusal(error)
    }
  }
  const showRefusal = (error: unknown) => {
    const faults = error instanceof ApiError ? error.errors : []
    const refusals = faults.map(refusalOfField).filter((refusal) => refusal !== undefined)
    // Backwards, so that the first field has the focus in the end.
    for (const { field, message } of refusals.toReversed()) {
      form.setError(field, { type: 'server', message }, { shouldFocus: true })
    }
    if (refusals.length === 0) form.setError('root', { type: 'server', message: errorSentence(error) })
  }

  return (
    <FormProvider {...form}>
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-6"
        onSubmit={(event) => void form.handleSubmit(submit, warnOfInvalidJson)(event)}
      >
        {errors.root?.message !== undefined && (
          <Banner tone="failure" urgent title="The configuration was not saved">
            {errors.root.message}
          </Banner>
        )}
        <BasicFields />
        <AdvancedOptions configId={configId} defaults={values} />
      </form>
      {configId !== null && <SigningSecret configId={configId} />}
    </FormProvider>
  )
}

/** docs/product.md §5: the sentence for either text, and nothing is sent. */
function warnOfInvalidJson({ custom_headers, payload_template }: FieldErrors<WebhookFormValues>) {
  if (custom_headers !== undefined || payload_template !== undefined) toast.error(INVALID_JSON_MESSAGE)
}
