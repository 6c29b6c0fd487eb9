import { useForm } from 'react-hook-form'
import { useRename } from '../account-queries.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Field } from '#web/ui/form/Field.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

const LONGEST = 120

export function NameForm({ name }: { name: string }) {
  const rename = useRename()
  const { register, handleSubmit, formState, setError } = useForm({ values: { name } })
  const { errors, isDirty } = formState

  const submit = handleSubmit((values) =>
    rename.mutateAsync(values.name).then(
      () => toast.success('Your name is saved'),
      (error: unknown) => {
        const fault = error instanceof ApiError ? error.errors[0]?.message : undefined
        setError('name', { message: fault ?? errorSentence(error) })
      },
    ),
  )

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Field label="Name" labelHidden hint="Shown in the profile menu" error={errors.name?.message}>
        <TextInput
          autoComplete="name"
          {...register('name', {
            validate: (given) => {
              if (given.trim() === '') return 'Name is required'
              return given.trim().length <= LONGEST || 'Name too long'
            },
          })}
        />
      </Field>
      <Button
        type="submit"
        variant="primary"
        busy={rename.isPending}
        disabled={!isDirty}
        className="self-start"
      >
        {rename.isPending ? 'Saving…' : 'Save name'}
      </Button>
    </form>
  )
}
