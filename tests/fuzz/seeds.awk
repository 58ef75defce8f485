# Splits tests/cases/*.txt into one file a case, in the folder `into`: the inputs that the fuzzer of texts starts from.
/^@/ { if (file) close(file); file = "" }
/^@( |escaped |words )/ { file = into "/case-" ++count }
file && !/^@/ { print > file }
