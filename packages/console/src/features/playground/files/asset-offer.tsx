import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { filesOf } from "../form/values.ts";
import type { Draft } from "../use-draft.ts";

/** The asset that the person came with: they say what it is for, it is not guessed. */
export function AssetOffer({ draft }: { draft: Draft }) {
  const { t } = useTranslation("playground");
  const { asset, form, values, setValue, dropAsset } = draft;
  if (!/^[\w-]{1,100}$/.test(asset)) return null;
  const fields = form.fields.filter(({ control }) => control === "files");
  const use = (name: string) => {
    setValue(name, [...filesOf(values, name), { url: `asset://${asset}`, name: asset }]);
    dropAsset();
  };
  return (
    <div className="mb-4">
      <Notice tone="accent">
        <p>{t(fields.length === 0 ? "asset.noPlace" : "asset.as", { asset })}</p>
        <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
          {fields.map(({ name, title }) => (
            <Button key={name} isSmall onClick={() => use(name)}>
              {title}
            </Button>
          ))}
        </div>
      </Notice>
    </div>
  );
}
