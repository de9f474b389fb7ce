package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	profiles "crokcam/configs/rules"
	"crokcam/internal/textfile"
	"crokcam/rules"
	"crokcam/rules/cases"
	"crokcam/rules/profile"
	"crokcam/rules/say"
)

// newJudgeCmd is the command that runs files of rule cases.
func newJudgeCmd() *cobra.Command {
	var explain bool
	var lang string
	cmd := &cobra.Command{
		Use:   "judge FILE…",
		Short: "Judge shots, rounds and games from files of cases",
		Long: `Judge reads files of cases (see testdata/rules) and prints one JSON line for
each: {"id", "kind", "result"}. "-" is standard input. With --explain it prints
the reasons in words instead.`,
		Args: someArgs("a file of cases"),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := profile.Load(profiles.FS)
			if err != nil {
				return err
			}
			words, err := say.For(lang)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			failed := 0
			for _, name := range args {
				n, err := judgeFile(cmd.InOrStdin(), out, name, set, explain, words)
				if err != nil {
					return errors.Join(fmt.Errorf("%s: %w", name, err), out.Flush())
				}
				failed += n
			}
			if err := out.Flush(); err != nil {
				return err
			}
			if failed > 0 {
				return fmt.Errorf("%d cases could not be judged", failed)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "print the reasons in words")
	cmd.Flags().StringVar(&lang, "lang", "en", "language of --explain: en, fr, nl or th")
	return cmd
}

// judgeFile prints the results of one file and says how many cases could not be
// judged.
func judgeFile(stdin io.Reader, out *bufio.Writer, name string, set profile.Set, explain bool, words *say.Words) (int, error) {
	data, err := readInput(stdin, name)
	if err != nil {
		return 0, err
	}
	f, err := cases.Parse(data)
	if err != nil {
		return 0, err
	}
	f.Rules = func(name string) (rules.Ruleset, bool) {
		p, ok := set.Find(name)
		return p.Rules, ok
	}
	failed := 0
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, c := range f.Cases {
		r := f.Run(c)
		if r.Error != "" {
			failed++
		}
		if explain {
			if err := printExplained(out, r, words); err != nil {
				return failed, err
			}
			continue
		}
		if err := enc.Encode(r); err != nil {
			return failed, err
		}
	}
	return failed, nil
}

func readInput(stdin io.Reader, name string) ([]byte, error) {
	if name == "-" {
		return textfile.ReadFrom(stdin, "standard input")
	}
	return textfile.Read(name)
}

func printExplained(out io.Writer, r cases.Result, words *say.Words) error {
	if r.Error != "" {
		_, err := fmt.Fprintf(out, "%s: %s\n\n", r.ID, r.Error)
		return err
	}
	if r.Verdict == nil {
		b, err := json.Marshal(r.Result)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s (%s): %s\n\n", r.ID, r.Kind, b)
		return err
	}
	_, err := fmt.Fprintf(out, "%s: %s\n", r.ID, words.Explain(*r.Verdict, say.Names{}))
	return err
}
