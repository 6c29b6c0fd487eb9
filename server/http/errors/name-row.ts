import { AppError } from '#core/errors.ts'

/** Does something with each row of a body. If there are several, a refusal names the row, counted from 0. */
export function eachRow<Row, Result>(rows: readonly Row[], work: (row: Row) => Result): Result[] {
  return rows.map((row, index) => {
    try {
      return work(row)
    } catch (error) {
      if (!(error instanceof AppError) || rows.length === 1) throw error
      const errors = error.errors.map(({ path, message }) => ({
        path: path === '' ? String(index) : `${index}.${path}`,
        message,
      }))
      throw new AppError(error.code, error.message, { errors, cause: error })
    }
  })
}
