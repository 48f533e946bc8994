import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";

interface Props {
  label: string;
  text: string;
  onSearch(text: string): void;
  /** Further filters. */
  children?: ReactNode;
}

/** Searches on Enter, not while typing. Give it the text as key, so that going back fills it in. */
export function SearchForm({ label, text, onSearch, children }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  return (
    <search>
      <Form className="flex flex-wrap items-end gap-3" onSubmit={() => onSearch(typed.trim())}>
        {children}
        <div className="min-w-0 flex-1 basis-60">
          <TextField
            label={label}
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit">{t("search")}</Button>
      </Form>
    </search>
  );
}
